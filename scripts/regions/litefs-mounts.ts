import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Folders at or below this one that have LiteFS mounted, also where the process behind has died. */
export function listMountsBelow(folder: string): string[] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([device, path]) => device === 'litefs' && `${path}/`.startsWith(`${folder}/`))
    .map(([, path = '']) => path)
}

/** Unmounts what is mounted at or below the folder, even while files there are open. */
export function unmountBelow(folder: string): void {
  for (const path of listMountsBelow(folder)) execFileSync('fusermount3', ['-u', '-z', path])
}

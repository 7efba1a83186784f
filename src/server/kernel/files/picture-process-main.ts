import { writeFileSync } from 'node:fs'
import { type DrawingJob, drawPicture, encodePicture, type PictureJob } from './encode-picture.ts'

/** The first argument: more resident memory than this ends the process. */
const maxBytes = Number(process.argv[2])
const CHECK_INTERVAL_MS = 20

/** Encodes and draws pictures for picture-process.ts, which alone starts this. The site holds the other end of the channel. */
function serveJobs(): void {
  process.on('message', async (job: PictureJob | DrawingJob) =>
    process.send?.(await (job.shape === 'drawing' ? drawPicture(job) : encodePicture(job))),
  )
  // Decoding runs on another thread, so this one can check memory and channel. SIGKILL, because that thread delays an exit.
  setInterval(() => {
    if (!process.connected || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL')
  }, CHECK_INTERVAL_MS)
  try {
    // When the machine has no memory left, Linux ends this process and not the site.
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such file.
  }
}

serveJobs()

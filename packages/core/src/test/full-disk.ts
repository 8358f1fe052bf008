import { execFileSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A small separate disk that can be filled. */
export interface SmallDisk extends Disposable {
  directory: string
  /** Uses up all space that is left. */
  fill(): void
  free(): void
}

/** Null where no disk can be mounted: that needs system privileges. */
export function smallDisk(): SmallDisk | null {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "docket-small-disk-")))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory], { stdio: "pipe" })
  } catch {
    rmdirSync(directory)
    return null
  }
  const filler = join(directory, "filler")
  return {
    directory,
    fill() {
      for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
        try {
          while (true) writeFileSync(filler, Buffer.alloc(size), { flag: "a" })
        } catch (error) {
          if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
        }
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync("umount", [directory])
      rmdirSync(directory)
    },
  }
}

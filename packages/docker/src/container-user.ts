import { chownSync, statSync } from "node:fs"
import type { Mount } from "@docket/core/mount"
import { z } from "zod"
import { type Engine, problemOfRefusal } from "./engine.ts"

const Info = z.object({ SecurityOptions: z.array(z.string()).nullish() })

/**
 * Whose rights commands have in a container: those of Docket's user, or where Docket is root, of the owner of the directory. In a
 * rootless engine, its root is the user that runs it.
 * @throws EngineProblem
 */
export async function containerUser(engine: Engine, directory: string): Promise<string> {
  const answer = await engine.call("GET", "/info")
  if (answer.status !== 200) throw problemOfRefusal(answer)
  const isRootless = Info.parse(answer.body).SecurityOptions?.some((option) => option.startsWith("name=rootless"))
  if (isRootless) return "0:0"
  const own = process.geteuid?.() ?? 0
  if (own !== 0) return `${own}:${process.getegid?.() ?? own}`
  const { uid, gid } = statSync(directory)
  return `${uid}:${gid}`
}

/** Gives the home directory of a container to its user: where Docket is root, it made it as root's. */
export function giveHome(shown: readonly Mount[], user: string): void {
  if (process.geteuid?.() !== 0) return
  const [uid = 0, gid = 0] = user.split(":").map(Number)
  for (const mount of shown) {
    if (mount.kind === "write" && mount.at !== undefined && statSync(mount.path).uid !== uid)
      chownSync(mount.path, uid, gid)
  }
}

import { renameSync, writeFileSync } from "node:fs"
import { readBoundedFileSync } from "@docket/core"
import { z } from "zod"

/** A signed-in browser. Only the hash of its cookie is stored. Times are epoch ms. */
const Login = z.object({ hash: z.string(), created: z.number(), expires: z.number() })
type Login = z.infer<typeof Login>

/** Size limit of the file: enough for about ten thousand browsers. */
const fileLimit = 2_097_152

export interface LoginFile {
  has(hash: string): boolean
  add(login: Login): void
  remove(hash: string): void
}

/** Logins survive a restart of the service. If the file is unreadable, browsers have to sign in again. */
export function openLoginFile(file: string, clock: () => number): LoginFile {
  const logins = new Map(readLogins(file).map((login) => [login.hash, login]))
  const save = () => {
    for (const [hash, { expires }] of logins) if (expires <= clock()) logins.delete(hash)
    writeFileSync(`${file}.new`, JSON.stringify([...logins.values()]), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return {
    has: (hash) => (logins.get(hash)?.expires ?? 0) > clock(),
    add(login) {
      logins.set(login.hash, login)
      save()
    },
    remove(hash) {
      if (logins.delete(hash)) save()
    },
  }
}

function readLogins(file: string): Login[] {
  try {
    return z.array(Login).parse(JSON.parse(readBoundedFileSync(file, fileLimit).toString("utf8")))
  } catch {
    return []
  }
}

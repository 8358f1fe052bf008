import { escaped } from "./escaped.ts"
import type { Hit } from "./hit.ts"

/** The person whose paths are on this machine. */
export interface HomeOwner {
  home: string
  /** The name of the account; null when it names no person, such as `root` or `node`. */
  user: string | null
}

/** Accounts that are no person's. */
const commonUsers =
  /^(?:root|admin|user|users|home|node|ubuntu|debian|runner|app|docker|vscode|dev|git|www|www-data|nobody)$/i

/** A separator in plain text, in JSON, or in JSON within JSON. */
const separator = "(?:\\\\{0,8}/|\\\\{1,8})"
/** A home directory of anybody with a path below it, because `/home/page` alone may be a web address. */
const anyHome = new RegExp(
  `(?<![A-Za-z0-9_.~-])(?:[A-Za-z]:${separator}Users|\\\\{0,8}/(?:home|Users|mnt\\\\{0,8}/[a-z]\\\\{0,8}/Users))${separator}([^\\s\\\\/"'\`:*?<>|,;()[\\]{}]{1,64})(?=${separator})`,
  "g",
)

export function homeOwner(home: string): HomeOwner {
  const user = home.split(/[\\/]/).pop() ?? ""
  return { home, user: user.length < 3 || commonUsers.test(user) ? null : user }
}

/** Finds paths to homes, which become `~`, and the name of the account in other paths. */
export function createPathFinder({ home, user }: HomeOwner): (text: string) => Hit[] {
  const own = new RegExp(`(?<![A-Za-z0-9_.~-])${segments(home)}(?![A-Za-z0-9_-])`, "g")
  const named = user === null ? null : new RegExp(`(?<=[\\\\/])${escaped(user)}(?=[\\\\/])`, "g")
  return (text) => {
    const hits: Hit[] = []
    const add = (rule: string, label: string, pattern: RegExp, replacement: string) => {
      for (const { index, 0: secret } of text.matchAll(pattern))
        hits.push({ rule, label, start: index, end: index + secret.length, secret, replacement })
    }
    add("home-path", "home directory", own, "~")
    add("home-path", "home directory", anyHome, "~")
    if (named !== null) add("user-name", "user name in a path", named, "user")
    return hits
  }
}

function segments(path: string): string {
  const separated = path.split(/[\\/]+/).map(escaped)
  return separated.join(separator)
}

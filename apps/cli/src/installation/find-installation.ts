import { existsSync, realpathSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

/** How this Docket came here. */
export type Installation =
  /** By `npm install --global`; `prefix` is npm's, absolute. */
  | { kind: "global"; prefix: string }
  /** By `npm install` in a directory, absolute. */
  | { kind: "local"; directory: string }
  /** By `npx`, for one call. */
  | { kind: "npx" }
  /** A checkout, or what it built; `root` is absolute. */
  | { kind: "checkout"; root: string }

const ownRoot = fileURLToPath(new URL("../../../..", import.meta.url))

/** @param root the directory of the package or of the checkout */
export function findInstallation(root = ownRoot): Installation {
  const parts = realpathSync(root).split(path.sep)
  const builds = parts.findIndex((part, at) => part === ".docket" && parts[at + 1] === "builds")
  if (builds > 0) return { kind: "checkout", root: parts.slice(0, builds).join(path.sep) }
  const modules = parts.lastIndexOf("node_modules")
  if (modules < 0) return { kind: "checkout", root: parts.join(path.sep) }
  if (parts.includes("_npx")) return { kind: "npx" }
  const above = parts.slice(0, modules).join(path.sep)
  if (existsSync(path.join(above, "package.json"))) return { kind: "local", directory: above }
  // On Windows npm has no `lib` there.
  return { kind: "global", prefix: path.basename(above) === "lib" ? path.dirname(above) : above }
}

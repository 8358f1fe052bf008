import { withoutConfigSecrets } from "@docket/core/config-secrets"
import { z } from "zod"

/** Files and directories of a workspace that contain keys. `servers`: sign-ins of its owner to other servers. */
const keys = new Set(["auth.json", "token", "team-secret", "logins.json", "webhook-secrets", "servers"])
/** Team settings that are not secret. Without `roots`, a service would open every directory. */
const plainSettings = ["url", "limits", "roots"]
/**
 * Configuration directories in the home that are copied: Docket's own, and the one of another program that Docket
 * reads.
 */
const ownConfig = new Set(["docket", "opencode"])

const takesAlong = "--with-keys takes them along"

/**
 * Why a backup without keys leaves a path out; null when it is included.
 * @param own path relative to the workspace's files, split into parts
 * @param home path relative to the home directory, split into parts
 */
export function whyKeysOmit(own: readonly string[], home: readonly string[]): string | null {
  const [name = ""] = own
  if (own.length === 1 && keys.has(name)) return `keys are left out; ${takesAlong}`
  const [first = "", second = ""] = home
  const isForeign =
    home.length === 1
      ? first.startsWith(".") && first !== ".config"
      : home.length === 2 && first === ".config" && !ownConfig.has(second)
  return isForeign ? `other programs may keep keys there; ${takesAlong}` : null
}

/** The replacement of a file in a backup without keys. */
export interface Replacement {
  /** Null: the file is left out. */
  content: Buffer | null
  /** What is missing in the file, and why; null when it is complete. */
  left: string | null
}

/** Returns a function that makes a file's replacement from its content; null for a file that contains no keys. */
export function withoutKeys(place: string): ((content: Buffer) => Replacement) | null {
  if (place === "team.json") return withoutTeamSecrets
  const isConfig = /(?:^|\/)(?:(?:docket|opencode)\.jsonc?|opencode\/config\.json)$/.test(place)
  return isConfig ? withoutKeysOfProviders : null
}

const unreadable: Replacement = { content: null, left: `it cannot be read, and may hold keys; ${takesAlong}` }

function withoutTeamSecrets(content: Buffer): Replacement {
  const read = readObject(content)
  if (read === null) return unreadable
  const settings = Object.entries(read)
  const plain = settings.filter(([name]) => plainSettings.includes(name))
  const left = settings.map(([name]) => name).filter((name) => !plainSettings.includes(name))
  return {
    content: Buffer.from(`${JSON.stringify(Object.fromEntries(plain), null, 2)}\n`),
    left: left.length === 0 ? null : `without ${left.join(", ")}; ${takesAlong}`,
  }
}

function readObject(content: Buffer): Record<string, unknown> | null {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content.toString("utf8")))
  } catch {
    return null
  }
}

function withoutKeysOfProviders(content: Buffer): Replacement {
  const kept = withoutConfigSecrets(content.toString("utf8"))
  if (kept === null) return unreadable
  return {
    content: Buffer.from(kept.text),
    left: kept.left.length === 0 ? null : `without ${kept.left.join(", ")}; ${takesAlong}`,
  }
}

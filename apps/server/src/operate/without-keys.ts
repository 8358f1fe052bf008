import { withoutConfigSecrets } from "@docket/core/config-secrets"
import { z } from "zod"

/** Files and directories of a workspace that are keys. `servers`: where its owner signed in from here. */
const keys = new Set(["auth.json", "token", "team-secret", "logins.json", "webhook-secrets", "servers"])
/** Settings of a team that are no secret. Without its roots a service would open every directory. */
const plainSettings = ["url", "limits", "roots"]
/** In a home that is the data directory or lies in it: what is Docket's own there, and what it reads of another program's. */
const ownConfig = new Set(["docket", "opencode"])

const takesAlong = "--with-keys takes them along"

/**
 * Why a backup without keys does not take a place; null where it does.
 * @param own its path in what a workspace keeps, by its parts
 * @param home the same in the home of whoever runs it
 */
export function holdsKeys(own: readonly string[], home: readonly string[]): string | null {
  const [name = ""] = own
  if (own.length === 1 && keys.has(name)) return `keys are left out; ${takesAlong}`
  const [first = "", second = ""] = home
  const isForeign =
    home.length === 1
      ? first.startsWith(".") && first !== ".config"
      : home.length === 2 && first === ".config" && !ownConfig.has(second)
  return isForeign ? `other programs may keep keys there; ${takesAlong}` : null
}

/** What stands in a backup without keys in place of a file. */
export interface Instead {
  /** Null: the file is not in it. */
  content: Buffer | null
  /** Why it is not the file as it is; null when it is. */
  left: string | null
}

/** Null for a file that holds no keys by its name. */
export function withoutKeys(place: string): ((content: Buffer) => Instead) | null {
  if (place === "team.json") return withoutTeamSecrets
  const isConfig = /(?:^|\/)(?:(?:docket|opencode)\.jsonc?|opencode\/config\.json)$/.test(place)
  return isConfig ? withoutKeysOfProviders : null
}

const unreadable: Instead = { content: null, left: `it cannot be read, and may hold keys; ${takesAlong}` }

function withoutTeamSecrets(content: Buffer): Instead {
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

function withoutKeysOfProviders(content: Buffer): Instead {
  const kept = withoutConfigSecrets(content.toString("utf8"))
  if (kept === null) return unreadable
  return {
    content: Buffer.from(kept.text),
    left: kept.left.length === 0 ? null : `without ${kept.left.join(", ")}; ${takesAlong}`,
  }
}

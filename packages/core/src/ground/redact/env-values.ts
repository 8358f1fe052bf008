import { parseEnv } from "node:util"
import type { KnownValue } from "./known-values.ts"
import { isPath, isPlainWord, isVersion } from "./plain-values.ts"

const secretName =
  /key|secret|token|tok(?:$|_)|pass|pwd|pw(?:$|_)|credential|cred(?:$|s|_)|auth(?!or)|dsn|private|salt|signature|cookie|webhook|(?:^|_)pin(?:$|_)/i

/** Fewest characters of a value, and of one whose name says that it is secret. */
const fewest = { any: 6, secret: 3 }

/**
 * The values in the content of a `.env` file that are hidden: all of some length, short ones too where the name says that
 * they are secret, but for paths, versions, and words that everybody writes.
 */
export function envValues(content: string): KnownValue[] {
  return Object.entries(parseEnv(content)).flatMap(([name, value = ""]) => knownValue(name, value.trim()) ?? [])
}

/** The variables of a process whose names say that they are secret. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): KnownValue[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    isSecretName(name) && value.length >= fewest.any ? (knownValue(name, value) ?? []) : [],
  )
}

/** Whether a path names a file of environment variables, and not an example of one. */
export function isEnvFile(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.(?!example$|sample$|template$|dist$)[\w-]+)*$/.test(path)
}

/** Whether the name of a variable says that its value is secret. */
function isSecretName(name: string): boolean {
  return secretName.test(name)
}

function knownValue(name: string, value: string): KnownValue | null {
  const isSecret = isSecretName(name)
  if (value.length < (isSecret ? fewest.secret : fewest.any)) return null
  if (isPlainWord(value) || isVersion(value) || isPath(value)) return null
  return { value, label: `value of ${name}` }
}

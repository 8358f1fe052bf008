import { parseEnv } from "node:util"
import type { KnownValue } from "./known-values.ts"

const secretName = /key|secret|token|pass|pwd|credential|auth(?!or)|dsn|private|salt|signature|cookie|webhook/i

/** The values in the content of a `.env` file that are worth hiding: those whose name or look says so. */
export function envValues(content: string): KnownValue[] {
  return Object.entries(parseEnv(content)).flatMap(([name, value = ""]) => {
    const text = value.trim()
    return isNamedSecret(name, text) || isRandom(text) ? [{ value: text, label: `value of ${name}` }] : []
  })
}

/** The variables of a process whose names say that they are secret. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): KnownValue[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    isNamedSecret(name, value) && !isPath(value) ? [{ value, label: `value of ${name}` }] : [],
  )
}

/** Whether a path names a file of environment variables, and not an example of one. */
export function isEnvFile(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.(?!example$|sample$|template$|dist$)[\w-]+)*$/.test(path)
}

function isNamedSecret(name: string, text: string): boolean {
  return secretName.test(name) && text.length >= 6 && !isPlain(text)
}

/** As of an agent's socket: `SSH_AUTH_SOCK`. */
function isPath(text: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]/.test(text)
}

function isPlain(text: string): boolean {
  return (
    /^(?:true|false|none|null|undefined|changeme|password|secret|example|development|production|test)$/i.test(text) ||
    /^\d{1,7}$/.test(text)
  )
}

function isRandom(text: string): boolean {
  return text.length >= 16 && /\d/.test(text) && /[A-Za-z]/.test(text) && !/[\s/]/.test(text)
}

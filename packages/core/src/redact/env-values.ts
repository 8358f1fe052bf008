import { parseEnv } from "node:util"
import type { KnownValue } from "./known-values.ts"

const secretName = /key|secret|token|pass|pwd|credential|auth|dsn|private|salt|signature|cookie|webhook/i

/** The values in the content of a `.env` file that are worth hiding: those whose name or look says so. */
export function envValues(content: string): KnownValue[] {
  return Object.entries(parseEnv(content)).flatMap(([name, value = ""]) => {
    const text = value.trim()
    const isSecret = secretName.test(name) ? text.length >= 6 && !isPlain(text) : isRandom(text)
    return isSecret ? [{ value: text, label: `value of ${name}` }] : []
  })
}

/** Whether a path names a file of environment variables, and not an example of one. */
export function isEnvFile(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.(?!example$|sample$|template$|dist$)[\w-]+)*$/.test(path)
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

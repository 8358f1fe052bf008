import { spawn } from "node:child_process"
import { wordSet } from "./shell-command.ts"

/** The shell that runs commands unless another is configured. */
export const defaultShell = "bash"

/** ms; a shell that needs longer to check a script is stopped. */
const timeout = 5_000

/** Whether the shell accepts the syntax of a script. The script is only read, never run. */
export async function shellAccepts(shell: string, script: string, path: string | undefined): Promise<boolean> {
  if (isPlainScript(script)) return true
  // Where Next's types are present, ProcessEnv requires NODE_ENV; checking a script does not need it.
  const env = { ...(path !== undefined && { PATH: path }), LC_ALL: "C.UTF-8" } as unknown as NodeJS.ProcessEnv
  return new Promise((resolve) => {
    const child = spawn(shell, ["-n", "-c", script], { env, stdio: "ignore", timeout })
    child.once("error", () => resolve(false))
    child.once("close", (code) => resolve(code === 0))
  })
}

/** Most characters of a plain script. */
const maxPlain = 4_000
/** Characters that a shell reads only as part of a name or pattern, and quoted texts. `\x60` is the backtick. */
const word = String.raw`(?:[\w./:,@%+=*?~-]|'[^'\n]*'|"[^"$\x60\\\n]*")+`
const token = new RegExp(
  String.raw`[ \t]*(?:(?<end>[;\n])|(?<join>&&|\|\|?)|(?:(?<redirect>\d?>&\d|\d?(?:>>?|<)[ \t]*${word})|(?<word>${word}))(?=[\s;&|]|$))`,
  "y",
)
/** Reserved words that begin or end a compound command. Source: bash(1), reserved words. */
const reserved = wordSet("case coproc do done elif else esac fi for function if in select then time until while")

/**
 * Whether a script consists only of simple commands joined by `;`, `&&`, `||` and `|`. Every shell accepts it and reads
 * it the same way, so no shell has to be started. Source: POSIX.1-2017, Shell Command Language, 2.10.
 */
export function isPlainScript(script: string): boolean {
  if (script.length > maxPlain) return false
  const text = script.trimEnd()
  // A command must stand at the beginning and after each operator: the script may not end before it.
  let needsCommand = true
  let atCommandStart = true
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const found = token.exec(text)?.groups
    if (found === undefined) return false
    if (found.end !== undefined || found.join !== undefined) {
      const isNewline = found.end === "\n"
      if (atCommandStart && !isNewline) return false
      // A blank line changes nothing.
      needsCommand = atCommandStart ? needsCommand : found.join !== undefined
      atCommandStart = true
      continue
    }
    if (atCommandStart && (found.word === undefined || reserved.has(found.word))) return false
    atCommandStart = false
    needsCommand = false
  }
  return !needsCommand
}

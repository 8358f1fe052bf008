import { spawn } from "node:child_process"
import { wordSet } from "./shell-command.ts"

/** What runs commands unless told otherwise. */
export const defaultShell = "bash"

/** ms; a shell that needs longer to read a script is not waited for. */
const timeout = 5_000

/** Whether the shell itself understands a script. It is read, and nothing of it runs. */
export async function shellAccepts(shell: string, script: string, path: string | undefined): Promise<boolean> {
  if (isPlainScript(script)) return true
  // Where Next's types are present, ProcessEnv demands NODE_ENV; reading a script needs none.
  const env = { ...(path !== undefined && { PATH: path }), LC_ALL: "C.UTF-8" } as unknown as NodeJS.ProcessEnv
  return new Promise((resolve) => {
    const child = spawn(shell, ["-n", "-c", script], { env, stdio: "ignore", timeout })
    child.once("error", () => resolve(false))
    child.once("close", (code) => resolve(code === 0))
  })
}

/** Longest plain script (characters). */
const maxPlain = 4_000
/** Letters that mean nothing to a shell but a name or a pattern, and texts in quotes. */
const word = String.raw`(?:[\w./:,@%+=*?~-]|'[^'\n]*'|"[^"$\x60\\\n]*")+`
const token = new RegExp(
  String.raw`[ \t]*(?:(?<end>[;\n])|(?<join>&&|\|\|?)|(?:(?<redirect>\d?>&\d|\d?(?:>>?|<)[ \t]*${word})|(?<word>${word}))(?=[\s;&|]|$))`,
  "y",
)
/** Begin or end something longer where a command stands. Source: bash(1), reserved words. */
const reserved = wordSet("case coproc do done elif else esac fi for function if in select then time until while")

/**
 * Whether a script is nothing but simple commands, joined by `;`, `&&`, `||` and `|`: every shell reads it, and in one
 * way, so that none has to be started for it. Source: POSIX.1-2017, Shell Command Language, 2.10.
 */
export function isPlainScript(script: string): boolean {
  if (script.length > maxPlain) return false
  const text = script.trimEnd()
  // At the beginning and after a joint there has to be a command.
  let isOpen = true
  let isStart = true
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const found = token.exec(text)?.groups
    if (found === undefined) return false
    if (found.end !== undefined || found.join !== undefined) {
      const isBlank = found.end === "\n"
      if (isStart && !isBlank) return false
      isOpen = isStart ? isOpen : found.join !== undefined
      isStart = true
      continue
    }
    if (isStart && (found.word === undefined || reserved.has(found.word))) return false
    isStart = false
    isOpen = false
  }
  return !isOpen
}

import type { Writ } from "./parse-writs.ts"

/** A result as models read it: `[/todo list]`, body, `[END TODO]`. */
export function framedResult(writ: Writ, body: string): string {
  const args = writ.args.replace(/\s+/g, " ")
  const head = args === "" ? `/${writ.verb}` : `/${writ.verb} ${args}`
  return `[${head}]\n${body}\n[END ${writ.verb.toUpperCase()}]`
}

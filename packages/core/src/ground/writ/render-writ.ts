import type { Writ } from "./parse-writs.ts"

const terminator = { todo: "/endtodo", mem: "/endmem", parallel: "/endparallel", schedule: null, agent: null } as const

/** A writ as text that parses to it again, with a line end. A one-line writ ends with a blank line. */
export function renderWrit({ verb, args, body }: Writ): string {
  const head = args === "" ? `/${verb}` : `/${verb} ${args}`
  const end = terminator[verb]
  if (body === null || end === null) return `${head}\n\n`
  return body === "" ? `${head}\n${end}\n` : `${head}\n${body}\n${end}\n`
}

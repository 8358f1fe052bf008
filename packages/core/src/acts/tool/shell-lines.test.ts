import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { z } from "zod"
import { defaultRules, evaluateRequest, mergeRules, rulesFromConfig } from "../../ground/rule/index.ts"
import type { PermissionAsk } from "../permission/judge.ts"
import { askForCommand } from "./ask-for-command.ts"
import { createToolFixture, type ToolFixture } from "./test/tool-fixture.ts"

/** A line that a model may write, and the expected decision under `rules`. `<root>` and `<home>` are placeholders. */
const ShellLine = z.strictObject({
  line: z.string(),
  /** The patterns that are checked against the rules for `bash`. */
  commands: z.array(z.string()),
  verdict: z.enum(["allow", "ask", "deny", "refused"]),
  /** The patterns that are checked against the rules for `edit`. */
  written: z.array(z.string()).default([]),
  /** The patterns for places outside the project and for files that are read, with their permission. */
  asked: z.array(z.string()).default([]),
})

const corpus = z
  .array(ShellLine)
  .parse(JSON.parse(readFileSync(new URL("./test/shell-lines.json", import.meta.url), "utf8")))

/** Rules of a user who lets the agent work but blocks what cannot be undone. */
const rules = mergeRules(
  defaultRules(),
  rulesFromConfig({
    bash: {
      "*": "allow",
      "rm *": "deny",
      "git push *": "deny",
      "npm publish *": "deny",
      "curl *": "ask",
      "wget *": "ask",
    },
    edit: { "*": "allow", "*.lock": "deny" },
  }),
)

function createPlace(): ToolFixture & { home: string } {
  const fixture = createToolFixture()
  const home = path.join(path.dirname(fixture.project), "home")
  mkdirSync(path.join(fixture.project, "web"))
  mkdirSync(home)
  symlinkSync(fixture.outside, path.join(fixture.project, "link"))
  for (const name of [".env", ".env.example", "a.txt", "src/a.ts", "pnpm.lock", "docket.json"])
    fixture.write(name, "{}")
  return { ...fixture, home }
}

const order = ["allow", "ask", "deny"] as const

async function judge(
  line: string,
  { context, home }: ReturnType<typeof createPlace>,
): Promise<z.output<typeof ShellLine>> {
  const asks: PermissionAsk[] = []
  const place = { ...context, ask: async (ask: PermissionAsk) => void asks.push(ask) }
  const refused = await askForCommand({ command: line }, place, { env: { ...process.env, HOME: home } }).then(
    () => false,
    () => true,
  )
  const worst = Math.max(
    ...asks.map(({ permission, patterns }) =>
      order.indexOf(evaluateRequest({ permission, patterns, rules, grants: [] }).action),
    ),
  )
  const named = (text: string) => text.replaceAll(home, "<home>").replaceAll(path.dirname(home), "<root>")
  const of = (permission: string) =>
    asks.filter((ask) => ask.permission === permission).flatMap((ask) => ask.patterns.map(named))
  return {
    line,
    commands: of("bash"),
    verdict: refused ? "refused" : (order[worst] ?? "ask"),
    written: of("edit"),
    asked: ["external_directory", "read"].flatMap((permission) =>
      of(permission).map((pattern) => `${permission} ${pattern}`),
    ),
  }
}

test("every line of the corpus gets the expected patterns and decision", async () => {
  expect(corpus.length).toBeGreaterThanOrEqual(120)
  const place = createPlace()
  for (const row of corpus) expect(await judge(row.line, place), row.line).toEqual(row)
})

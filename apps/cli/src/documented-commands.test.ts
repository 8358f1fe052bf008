import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Command } from "commander"
import { expect, test } from "vitest"
import { createProgram } from "./create-program.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const files = ["README.md", ...readdirSync(`${root}docs`).map((file) => `docs/${file}`)].filter((file) =>
  /^(?!docs\/spec-coverage).*\.md$/.test(file),
)

/** The `docket` commands in shell samples and in running text, each up to the end of its line. */
function callsIn(file: string): string[] {
  const text = readFileSync(root + file, "utf8")
  const lines = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(({ 1: sample = "" }) => sample.split("\n"))
  const inline = [...text.matchAll(/(?<!`)`(docket [^`\n]+)`(?!`)/g)].map(({ 1: call = "" }) => call)
  return [...lines, ...inline].flatMap((line) => {
    const call = /^(?:docker compose .* docket )?docket ([a-z-].*)$/.exec(line.split(" #")[0]?.trim() ?? "")?.[1]
    return call === undefined ? [] : [call.split(/ (?:[|<>;…]|&&)/)[0] ?? ""]
  })
}

/** Has the options of `docket serve`, which are not commander's. */
const serveHelp = readFileSync(`${root}apps/server/src/command-line.js`, "utf8")

/** The first part of a command line that does not exist; null when all of it exists. */
function strangeIn(call: string): string | null {
  // What follows -- is another program's.
  const words = call.split(" -- ")[0]?.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  let command: Command = createProgram(new AbortController().signal)
  // Before the name of another one.
  if (words[0] === "help") words.shift()
  while (words[0] !== undefined && command.commands.length > 0) {
    if (command.options.some(({ long }) => long === words[0])) return null
    const names = words[0].split("|")
    const isOption = words[0].startsWith("-")
    // Commands with others below them list when none is named.
    const found = command.commands.find((each) => (isOption ? ["list"] : names).includes(each.name()))
    if (found === undefined) return `${command.name()} has no ${words[0]}`
    if (!isOption) words.shift()
    command = found
  }
  const known = new Set(command.options.map(({ long }) => long))
  const strange = words
    .filter((word) => word.startsWith("--") && word !== "--help")
    .map((word) => word.split("=")[0] ?? word)
    .find((option) => (command.name() === "serve" ? !serveHelp.includes(`${option} `) : !known.has(option)))
  return strange === undefined ? null : `${command.name()} has no ${strange}`
}

test.each(files.map((file) => [file, callsIn(file)] as const).filter(([, calls]) => calls.length > 0))(
  "the commands that %s names exist, with their options",
  (_, calls) => {
    expect(calls.map((call) => [call, strangeIn(call)]).filter(([, strange]) => strange !== null)).toEqual([])
  },
)

test("the check finds unknown commands and options", () => {
  expect(["team nothing", "run hello --nothing", "sessions --limit 3"].map(strangeIn)).toEqual([
    "team has no nothing",
    "run has no --nothing",
    null,
  ])
})

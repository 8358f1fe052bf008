import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { analyseScript } from "./command-analysis.ts"
import { commandPatterns } from "./command-patterns.ts"
import { shellAccepts } from "./shell-syntax.ts"
import { shellScripts, standIns } from "./test/shell-scripts.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

/** Runs each script in a separate bash with the stand-ins first on the PATH. @returns the programs each script ran */
function ran(directory: string, scripts: readonly string[]): string[][] {
  const programs = path.join(directory, "programs")
  const place = path.join(directory, "place")
  for (const made of [programs, place]) mkdirSync(made)
  for (const name of standIns) {
    const exit = name === "no" ? 1 : 0
    const text = `#!/bin/bash\nprintf '%s\\n' "\${0##*/} \${*//$'\\n'/ }" >>"$LOG"\nexit ${exit}\n`
    writeFileSync(path.join(programs, name), text, { mode: 0o755 })
  }
  return scripts.map((script, at) => {
    const log = path.join(directory, `log-${at}`)
    const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: place, LOG: log }
    try {
      execFileSync("bash", ["-c", script], {
        cwd: place,
        env: env as NodeJS.ProcessEnv,
        stdio: "ignore",
        timeout: 20_000,
      })
    } catch {
      // The script failed, as some do.
    }
    return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []
  })
}

/** Whether a pattern matches the command. Text that bash inserts for words, or appends, is not compared. */
function names(pattern: string, line: string, script: string): boolean {
  if (/[$*{~`<>]/.test(pattern) || script.includes("mapfile")) return pattern.split(" ")[0] === line.split(" ")[0]
  return pattern.trimEnd() === line.trimEnd()
}

test("no script runs a command missing from its patterns, compared with bash", async () => {
  const scripts = fc.sample(shellScripts, drawn(1_000, 100))
  const fixture = createToolFixture()
  const runs = ran(fixture.outside, scripts)
  let named = 0
  let commands = 0
  for (const [at, script] of scripts.entries()) {
    const known = await shellAccepts("bash", script, process.env.PATH)
    const { patterns } = commandPatterns(known ? analyseScript(script) : null)
    commands += runs[at]?.length ?? 0
    if (patterns.includes("*")) continue
    named++
    for (const line of runs[at] ?? []) {
      expect(
        patterns.some((pattern) => names(pattern, line, script)),
        `${script}\n\nran: ${line}\npatterns: ${JSON.stringify(patterns)}`,
      ).toBe(true)
    }
  }
  // Otherwise the test would prove nothing.
  expect(named).toBeGreaterThan(scripts.length / 10)
  expect(commands).toBeGreaterThan(scripts.length / 2)
})

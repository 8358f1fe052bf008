import { execFileSync } from "node:child_process"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { analyseScript } from "./command-analysis.ts"
import { isPlainScript } from "./shell-syntax.ts"

const bashAccepts = (script: string) => {
  try {
    execFileSync("bash", ["-n", "-c", script], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

describe("a script", () => {
  test.each([
    "cat notes.md",
    "npm test -- --run src/a.test.ts 2>&1 | tail -20",
    "cd sub && ls -la *.ts; git commit -m 'It works: a (b) & $c' || echo \"no\"",
    "date +%N > file.txt\nls\n\ncat < file.txt;\n",
    "ls &&\nls",
  ])("is known as plain without a shell: %j", (script) => {
    expect(isPlainScript(script)).toBe(true)
    expect(bashAccepts(script)).toBe(true)
  })

  test.each([
    "",
    "if true; then ls; fi",
    "ls; done",
    "ls;;",
    "ls && && ls",
    "ls &&",
    "ls &&\n",
    "| ls",
    "echo $(ls)",
    "echo $HOME",
    "echo 'open",
    'echo "open',
    "ls & ls",
    "( ls )",
    "{ ls; }",
    "! ls",
    "cat <<END",
    "ls >",
    "ls \\",
    "echo `ls`",
    "f() { ls; }",
    "echo a # b",
  ])("that needs a shell is not plain: %j", (script) => {
    expect(isPlainScript(script)).toBe(false)
  })

  test("that is plain is valid for the shell and can be analysed", () => {
    const piece = fc.constantFrom(
      ..."if then fi do done for in case { } ( ) ! [ ]] a b=1 ls time 'x' \"y\" ' \" $ ` \\ # & && | || ; > >> < 2>&1 * ~ 1".split(
        " ",
      ),
      "\n",
      " ",
      "\t",
    )
    let plain = 0
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 9 }), fc.constantFrom("", " "), (pieces, gap) => {
        const script = pieces.join(gap)
        if (!isPlainScript(script)) return
        plain++
        expect(bashAccepts(script), JSON.stringify(script)).toBe(true)
        expect(analyseScript(script), JSON.stringify(script)).not.toBeNull()
      }),
      drawn(3_000),
    )
    expect(plain).toBeGreaterThan(10)
  })
})

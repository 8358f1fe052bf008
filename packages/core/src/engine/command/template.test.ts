import { execFileSync } from "node:child_process"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fillInTemplate, missingArguments, parseTemplate, splitArguments } from "./template.ts"

const filled = (template: string, typed = "") => fillInTemplate(parseTemplate(template), typed)
const textOf = (template: string, typed = "") =>
  filled(template, typed)
    .pieces.map((piece) => (piece.type === "text" ? piece.text : `[${piece.command}]`))
    .join("")

/** The arguments that a shell passes to the program `show` in a command. */
const printed = (command: string) => {
  const show = `show() { local each; for each; do printf '%s\\0' "$each"; done; }`
  return execFileSync("bash", ["-c", `${show}\n${command}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1)
}

describe("arguments", () => {
  it("are words, grouped by quotes but not by apostrophes", () => {
    expect(splitArguments(`a "b c" 'd e' --x="f g" don't stop "open`)).toEqual([
      "a",
      "b c",
      "d e",
      "--x=f g",
      "don't",
      "stop",
      `"open`,
    ])
    expect(splitArguments("  ")).toEqual([])
  })

  it("fill their placeholders; the last one takes the rest", () => {
    expect(textOf("Deploy $1 to $2 ($1)", `"the api" staging and wait`)).toBe(
      "Deploy the api to staging and wait (the api)",
    )
    expect(textOf("Do: $ARGUMENTS!", `fix "a b"  now`)).toBe(`Do: fix "a b"  now!`)
    expect(textOf("$2 before $1, for $5", "a b")).toBe("b before a, for")
    expect(textOf("$0, $100 and $ARGUMENTSX stay", "a")).toBe("$0, $100 and $ARGUMENTSX stay\n\na")
  })

  it("are appended to a template without placeholders", () => {
    expect(textOf("Look around.\n", " in src ")).toBe("Look around.\n\nin src")
    expect(textOf("Look around.\n", "")).toBe("Look around.")
  })

  it("that a placeholder needs are reported missing, unless optional", () => {
    const missing = (template: string, hint: string | null, typed = "") =>
      missingArguments(parseTemplate(template), hint, typed)
    expect(missing("$1 $2", null, "a")).toEqual([2])
    expect(missing("$1 $2", "<branch> [base]", "a")).toEqual([])
    expect(missing("!`git log $1` @$2", null)).toEqual([1, 2])
    expect(missing("$ARGUMENTS", null)).toEqual([])
    expect(missing("$ARGUMENTS", "<what to fix>")).toEqual([1])
  })

  it.each(["!`touch pwned`", "$2", "$ARGUMENTS", "@/etc/passwd", "/etc/passwd", "$(x)"])(
    "are plain text: %s in one is never parsed as template",
    (hostile) => {
      expect(filled("Say $1 and $2.", `"${hostile}" b`)).toEqual({
        pieces: [{ type: "text", text: `Say ${hostile} and b.` }],
        mentions: [],
      })
      expect(filled("Say $ARGUMENTS.", hostile).pieces).toEqual([{ type: "text", text: `Say ${hostile}.` }])
      expect(filled("Say it.", hostile).mentions).toEqual([])
    },
  )

  it("that would make a prompt over 1 MB are refused", () => {
    expect(() => filled("$ARGUMENTS ".repeat(2_000), "x".repeat(10_000))).toThrow("longer than 1 MB")
  })
})

describe("a template", () => {
  it("names commands and files between its text", () => {
    expect(filled("Changes:\n!`git diff $1`\nin @src/a.ts, @./b.md and @../c, not me@home or `@d`.", "main")).toEqual({
      pieces: [
        { type: "text", text: "Changes:\n" },
        { type: "run", command: "git diff 'main'" },
        { type: "text", text: "\nin @src/a.ts, @./b.md and @../c, not me@home or `@d`." },
      ],
      mentions: ["src/a.ts", "./b.md", "../c"],
    })
    expect(filled("Explain @src/$1.", "a.ts").mentions).toEqual(["src/a.ts"])
  })

  it("with an unclosed command reports it; a code fence is no command", () => {
    expect(() => parseTemplate("Now !`git status and more")).toThrow("no closing backtick")
    expect(parseTemplate("Look!\n```sh\nls\n```\n").pieces).toHaveLength(1)
    expect(() => parseTemplate("!`a` ".repeat(21))).toThrow("runs 21 commands")
  })
})

describe("a command of a template", () => {
  const run = (script: string, typed: string) => {
    const [piece] = filled(`!\`${script}\``, typed).pieces
    return piece?.type === "run" ? piece.command : ""
  }

  it("gets each argument as one word, in double quotes too", () => {
    const typed = `"a b" it's`
    expect(printed(run("show $1 $2", typed))).toEqual(["a b", "it's"])
    expect(printed(run('show "<$1>" --to="$2"', typed))).toEqual(["<a b>", "--to=it's"])
    expect(printed(run("show $ARGUMENTS", typed))).toEqual(["a b", "it's"])
    expect(printed(run('show "$(echo "$1")" $(echo $2)', typed))).toEqual(["a b", "it's"])
  })

  it("keeps text in single quotes for the program", () => {
    const script = "git log | awk '{ print $1 }'"
    expect(run(script, "")).toBe(script)
    expect(parseTemplate(`!\`${script}\``).positions.size).toBe(0)
  })

  it("gets any typed text and runs nothing else", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("a", " ", "'", '"', "\\", "$(", ")", "`", ";", "&", "|", "\n", "$1", "#", ">", "*", "~", "!"),
          {
            maxLength: 12,
          },
        ),
        (pieces) => {
          const typed = pieces.join("")
          const words = splitArguments(typed)
          expect(printed(run("show $ARGUMENTS", typed))).toEqual(words)
          expect(printed(run('show "$ARGUMENTS"', typed))).toEqual([typed.trim()])
        },
      ),
      drawn(40),
    )
  })

  it.each([
    ['sh -c "git log $1"', "; touch pwned"],
    ['sh -c "git log $1"', "$(touch pwned)"],
    ["eval git log $1", "; touch pwned"],
  ])("that passes %s to a shell refuses %s", (script, hostile) => {
    expect(() => run(script, `"${hostile}"`)).toThrow("would change what")
  })

  it.each(["echo $((1 + $1))", "[[ $1 -eq 0 ]]", "cat <<END\n$1\nEND", "echo ${x:-$1}", "ls # of $1"])(
    "cannot take arguments where the shell reads more than a word: %s",
    (script) => {
      expect(() => run(script, "a")).toThrow("cannot be put")
    },
  )
})

import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { replaceText } from "./replace-text.ts"
import { createSearchWork } from "./search-work.ts"
import { searchedText } from "./searched-text.ts"
import { strategies } from "./strategies.ts"

const two = "function a() {\n  first()\n  second()\n}\n\nfunction b() {\n  first()\n  second()\n}\n"
const block = "start()\none()\ntwo()\nthree()\nfour()\nfinish()\n"

/** Any change would be wrong: the file, what the model sends as old and new text, and what it is told. */
const traps: [string, { file: string; old: string; put: string; told: RegExp }][] = [
  [
    "a text that stands there twice",
    { file: two, old: "  first()", put: "  x()", told: /occurs 2 times \(lines 2, 7\)/ },
  ],
  ["a block that stands there twice", { file: two, old: "  first()\n  second()", put: "x", told: /lines 2, 7/ }],
  [
    "a block that stands there twice, indented otherwise",
    { file: two, old: "first()\nsecond()\n}", put: "x", told: /several places/ },
  ],
  ["one word of a longer one", { file: "const counter = 1\n", old: " count\n", put: "n", told: /not found/ }],
  ["two words across a longer one", { file: "return  countdown\n", old: "return count", put: "x", told: /not found/ }],
  ["an elided middle", { file: block, old: "start()\n...\nfinish()", put: "start()\nfinish()", told: /not found/ }],
  [
    "a comment in place of the middle",
    { file: block, old: "start()\n// ... existing code ...\nfinish()", put: "x()", told: /not found/ },
  ],
  ["only the first line right", { file: block, old: "start()\nuno()\ndue()\ntre()", put: "x", told: /not found/ }],
  ["only the last line right", { file: block, old: "uno()\ndue()\ntre()\nfinish()", put: "x", told: /not found/ }],
  [
    "both ends right and nothing between",
    { file: block, old: "start()\nalpha\nbeta\ngamma\ndelta\nfinish()", put: "x", told: /not found/ },
  ],
  [
    "a block much shorter than between its ends",
    { file: block, old: "start()\none()\nfinish()", put: "x", told: /not found/ },
  ],
  [
    "a block much longer than between its ends",
    { file: "start()\none()\nfinish()\n", old: block.trim(), put: "x", told: /not found/ },
  ],
  [
    "two similar blocks, equally far off",
    {
      file: "begin\n  value = 10\n  keep\nend\nbegin\n  value = 20\n  keep\nend\n",
      old: "begin\n  value = 30\n  keep\nend",
      put: "x",
      told: /several places/,
    },
  ],
  [
    "two blocks with half of the lines each",
    {
      file: "begin\nalpha one\nbeta one\nend\nbegin\nalpha two\nbeta one\nend\n",
      old: "begin\nalpha xxx\nbeta one\nend",
      put: "x",
      told: /several places/,
    },
  ],
  ["a text of white space only", { file: "a\n\n\nb\n", old: " \n\t", put: "x", told: /not found/ }],
  ["blank lines", { file: "a\nb\n", old: "\n\n\n", put: "x", told: /not found/ }],
  ["another case", { file: "const Name = 1\n", old: "const name = 1", put: "x", told: /not found/ }],
  ["another number", { file: "port = 8080\n", old: "port = 8081", put: "port = 1", told: /not found/ }],
  ["another operator", { file: "if (a < b) go()\n", old: "if (a > b) go()", put: "x", told: /not found/ }],
  ["a negation", { file: "if (!ready) wait()\n", old: "if (ready) wait()", put: "x", told: /not found/ }],
  [
    "two lines of which one is another",
    { file: "let a = 1\nlet b = 2\n", old: "let a = 1\nlet c = 2", put: "x", told: /not found/ },
  ],
  [
    "lines in another order",
    { file: "one()\ntwo()\nthree()\n", old: "two()\none()\nthree()", put: "x", told: /not found/ },
  ],
  [
    "a line removed that the file has not",
    {
      file: "open()\nread()\nclose()\n",
      old: "open()\nread()\nflush_everything()\nclose()",
      put: "open()\nread()\nclose()",
      told: /not found|nothing to change/,
    },
  ],
  ["a file without the text", { file: "", old: "anything", put: "x", told: /not found/ }],
  [
    "what is there already",
    { file: "    go(fast)\n", old: "\tgo(fast)", put: "    go(fast)", told: /nothing to change/ },
  ],
  ["the same text", { file: "a\n", old: "a", put: "a", told: /the same/ }],
  ["the same text with other line ends", { file: "a\r\nb\r\n", old: "a\nb", put: "a\r\nb", told: /the same/ }],
  ["an empty text in a file with text", { file: "a\n", old: "", put: "x", told: /oldString is empty/ }],
  [
    "unescaped text that stands there twice",
    { file: 'say("a")\nsay("a")\n', old: 'say(\\"a\\")', put: "x", told: /several places/ },
  ],
  [
    "words that stand there twice with other spaces",
    { file: "a =  1\nb\na   = 1\n", old: "a = 1", put: "x", told: /several places/ },
  ],
  [
    "lines with line numbers that stand there twice",
    { file: "go()\nstop()\ngo()\nstop()\n", old: "1: go()\n2: stop()", put: "x", told: /several places/ },
  ],
  ["a diff in place of text", { file: "a = 1\nb = 2\n", old: "-a = 1\n+a = 2\n b = 2", put: "x", told: /not found/ }],
  [
    "lines between changed ones that it does not show",
    {
      file: "if (ok) {\n  first()\n  secret()\n  second()\n  third()\n  fourth()\n  fifth()\n}\n",
      old: "if (ok) {\n  first()\n  second()\n  third()\n  fourth()\n  fifth()\n}",
      put: "if (ok) {\n  other()\n}",
      told: /lines that oldString does not show/,
    },
  ],
  [
    "a line in place of which another one stands",
    {
      file: "if (a) {\n  first(user)\n  await ledger.lock(user.id)\n  third(user)\n  fourth(user)\n  fifth(user)\n  sixth(user)\n}\n",
      old: "if (a) {\n  first(user)\n  console.log('debug')\n  third(user)\n  fourth(user)\n  fifth(user)\n  sixth(user)\n}",
      put: "if (a) {\n  first(user)\n  third(user)\n  fourth(user)\n  fifth(user)\n  sixth(user)\n}",
      told: /lines that oldString does not show/,
    },
  ],
]

describe("traps", () => {
  it.each(traps)("%s: nothing is changed", (_, { file, old, put, told }) => {
    expect(() => replaceText(file, { oldString: old, newString: put, replaceAll: false })).toThrow(told)
  })
})

describe("loose matches", () => {
  const word = fc.constantFrom("alpha", "beta(x)", "gamma = 1", "}", "", "if (a) {", '"q"')
  const line = fc.tuple(fc.constantFrom("", "  ", "    ", "\t"), word).map(([indent, text]) => indent + text)
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"))

  it("changes no character outside of the place that was found", () => {
    fc.assert(
      fc.property(text, fc.array(line, { minLength: 1, maxLength: 5 }), text, text, (before, middle, after, put) => {
        const file = `${before}\n${middle.join("\n")}\n${after}`
        const oldString = middle.map((one) => ` ${one.trim()}`).join("\n")
        let made: ReturnType<typeof replaceText>
        try {
          made = replaceText(file, { oldString, newString: put, replaceAll: false })
        } catch {
          return
        }
        const [place] = made.places
        const [start, end] = [place?.start ?? 0, made.text.length - (place?.end ?? 0)]
        expect(made.text.slice(0, start)).toBe(file.slice(0, start))
        expect(made.text.slice(made.text.length - end)).toBe(file.slice(file.length - end))
      }),
      drawn(1_000),
    )
  })

  it("yields only places within the file, in order", () => {
    fc.assert(
      fc.property(text, text, (there, oldText) => {
        const file = searchedText(there)
        for (const strategy of strategies) {
          for (const { start, end } of strategy.find(file, { oldText, newText: "" }, createSearchWork())) {
            expect(start >= 0 && start <= end && end <= there.length).toBe(true)
          }
        }
      }),
      drawn(500),
    )
  })

  it("gives up when too many places are alike", () => {
    const lines = Array.from({ length: 5_000 }, (_, at) =>
      at % 2 === 0 ? "{" : `    the same words ${"x".repeat(200)}`,
    )
    const oldString = [
      "{",
      ...Array.from({ length: 900 }, (_, at) => `  the same wards ${at}${"y".repeat(200)}`),
      "{",
    ].join("\n")
    expect(() => replaceText(lines.join("\n"), { oldString, newString: "x", replaceAll: false })).toThrow(/not found/)
  })
})

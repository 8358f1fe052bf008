import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { growth } from "../../test/growth.ts"
import { inlineCommandVerbs } from "./inline-command-verbs.ts"
import { type InlineCommand, parseInlineCommands, renderInlineCommand } from "./parse-inline-commands.ts"

const parse = (text: string, finished = true) => parseInlineCommands(text, { finished })
const shown = (text: string, finished = true) =>
  parse(text, finished).inlineCommands.map(({ verb, args, body, complete }) =>
    [verb, args, ...(body === null ? [] : [body]), ...(complete ? [] : ["incomplete"])].join("|"),
  )

describe("what is a command", () => {
  test("a line that begins with a known verb; trailing whitespace is trimmed", () => {
    expect(
      shown("/todo list  \r\n/todo start 14\nso /todo done 14\n /todo cancel 15\n/todoist\n/users/x\n/mem\t list"),
    ).toEqual(["todo|list", "todo|start 14", "mem|list"])
  })

  test.each(["```", "~~~", "````ts"])("a line inside a fence that %s opens is no command", (fence) => {
    const other = fence.startsWith("~") ? "```" : "~~~"
    const close = fence.replace(/\w/g, "")
    expect(shown(`${fence}\n/todo list\n${other}\n/todo done 1\n${close}\n/todo start 2`)).toEqual(["todo|start 2"])
  })

  test("inline code on one line opens no fence", () => {
    expect(shown("```/todo add```\n/todo list")).toEqual(["todo|list"])
  })

  test("the rest is the text without commands and blocks", () => {
    expect(parse("Hello\n/todo add x\nmore\n/endtodo\nworld\n/todo list\n").rest).toBe("Hello\nworld\n")
    expect(parse("/todo list\n\n").rest.trim()).toBe("")
  })
})

describe("/todo add", () => {
  test("takes the single-line form and the block form", () => {
    expect(
      shown(
        "/todo add review the deploy status\n/todo add write the post-mortem\nwhat broke\n\n  and why\n/endtodo\n/todo list",
      ),
    ).toEqual([
      "todo|add review the deploy status",
      "todo|add write the post-mortem|what broke\n\n  and why",
      "todo|list",
    ])
  })

  test("is incomplete when /endtodo is missing", () => {
    expect(shown("/todo add write the post-mortem\nwhat broke\nand why")).toEqual([
      "todo|add write the post-mortem|incomplete",
    ])
    expect(shown("/todo add write\n\nwhat broke", false)).toEqual(["todo|add write|incomplete"])
    expect(shown("/todo add wri", false)).toEqual(["todo|add wri|incomplete"])
  })

  test("swallows no later command when prose follows its line", () => {
    expect(shown("/todo add one\nNow I look.\n/todo list\n/todo add two\nand go\n/endtodo")).toEqual([
      "todo|add one",
      "todo|list",
      "todo|add two|and go",
    ])
    expect(shown("/todo add one\n\nNow I look at it.")).toEqual(["todo|add one"])
  })

  test("keeps body lines that look like commands, also in fences", () => {
    expect(shown("/todo add a\n/Users/x\n```\n/todo done 1\n```\n/endtodo\n/todo list")).toEqual([
      "todo|add a|/Users/x\n```\n/todo done 1\n```",
      "todo|list",
    ])
  })

  test("is not made by an /endtodo alone", () => {
    expect(shown("/endtodo\n/todo list\n/endtodo")).toEqual(["todo|list"])
  })
})

describe("other blocks", () => {
  test("/mem add entry needs /endmem, other /mem commands do not", () => {
    expect(
      shown("/mem add entry project Title\nfact\n/endmem\n/mem search x\n/mem add entry user T\nlost\n/todo list"),
    ).toEqual(["mem|add entry project Title|fact", "mem|search x", "mem|add entry user T|incomplete", "todo|list"])
  })

  test("/parallel holds /agent lines and is refused whole without its end", () => {
    expect(shown("/parallel\n/agent a one\n/agent b two\n/endparallel")).toEqual([
      "parallel||/agent a one\n/agent b two",
    ])
    expect(shown("/parallel\n/agent a one\n\n/agent b two\nprose\n/todo list")).toEqual([
      "parallel||incomplete",
      "todo|list",
    ])
  })
})

test("a text that was cut off has an incomplete last command", () => {
  expect(shown("/todo done 1", false)).toEqual(["todo|done 1|incomplete"])
  expect(shown("/todo done 1\n/todo done 2", false)).toEqual(["todo|done 1", "todo|done 2|incomplete"])
  expect(shown("/todo done 1\n", false)).toEqual(["todo|done 1"])
})

const word = fc.stringMatching(/^[a-zA-Z0-9#:.,äß✓-]{1,12}$/)
const subject = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "))
const bodyLine = fc.oneof(subject, fc.constantFrom("", "  indented", "/Users/x", "- item", "> quote"))
const body = fc.array(bodyLine, { maxLength: 4 }).map((lines) => lines.join("\n"))
const inlineCommand: fc.Arbitrary<InlineCommand> = fc.oneof(
  fc.record({
    verb: fc.constant("todo" as const),
    args: subject.map((text) => `add ${text}`),
    body: fc.option(body),
    complete: fc.constant(true),
  }),
  fc.record({
    verb: fc.constant("mem" as const),
    args: subject.map((text) => `add entry user ${text}`),
    body,
    complete: fc.constant(true),
  }),
  fc.record({
    verb: fc.constantFrom("todo" as const, "schedule" as const, "agent" as const),
    args: subject.map((text) => `x ${text}`),
    body: fc.constant(null),
    complete: fc.constant(true),
  }),
)

test("commands that are rendered parse to themselves", () => {
  fc.assert(
    fc.property(fc.array(inlineCommand, { maxLength: 8 }), fc.boolean(), (inlineCommands, finished) => {
      const parsed = parse(`${inlineCommands.map(renderInlineCommand).join("")}/todo list\n`, finished)
      expect(parsed.inlineCommands.slice(0, -1)).toEqual(inlineCommands)
    }),
    drawn(),
  )
})

test("no earlier text hides a later inline command, except an open fence", () => {
  const line = fc.oneof(
    subject,
    fc.constantFrom(
      "",
      "/todo add x",
      "/endtodo",
      "/mem add entry user T",
      "/parallel",
      "/agent a b",
      "/endmem",
      "/endparallel",
      "/todo",
    ),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), (lines, finished) => {
      const { inlineCommands } = parse(`${[...lines, "/todo done 77"].join("\n")}\n`, finished)
      expect(inlineCommands.at(-1)).toEqual({ verb: "todo", args: "done 77", body: null, complete: true })
    }),
    drawn(),
  )
})

test("a command inside a closed fence never runs, whatever is around it", () => {
  const outside = fc.array(fc.oneof(subject, fc.constantFrom("", "/todo add x", "/mem add entry user T")), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(outside, fc.constantFrom("```", "~~~"), outside, (before, mark, after) => {
      const text = [...before, mark, "/todo done 77", mark, ...after, "/schedule list"].join("\n")
      const { inlineCommands } = parse(`${text}\n`)
      expect(inlineCommands.some((found) => found.args === "done 77")).toBe(false)
      expect(inlineCommands.at(-1)?.verb).toBe("schedule")
    }),
    drawn(),
  )
})

test("no text makes the parser throw; every command has a known verb", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("\n", "\r\n", "/todo add ", "/endtodo", "```", "~~~", "/mem add entry ", "/parallel"),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, finished) => {
      for (const found of parse(pieces.join(""), finished).inlineCommands) {
        expect(inlineCommandVerbs).toContain(found.verb)
        expect(found.args).toBe(found.args.trim())
      }
    }),
    drawn(500),
  )
})

test("parsing time grows linearly with length", async () => {
  const units = [
    "/todo add one thing to do\nand some prose that follows it\n",
    "/todo add unclosed\n",
    "/mem add entry user T\nlost\n",
    "/parallel\n/agent a b\n",
    "/todo add x\n```\n/todo list\n```\n",
    "x".repeat(200_000),
    `/todo ${" ".repeat(200_000)}`,
    "`".repeat(1_000),
  ]
  for (const unit of units) {
    const read = (length: number) => parse(unit.repeat(Math.ceil(length / unit.length)).slice(0, length))
    // Ten times the text: quadratic growth would take a hundred times as long.
    expect(await growth(read, { small: 100_000, large: 1_000_000 })).toBeLessThan(40)
  }
})

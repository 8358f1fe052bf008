import { expect, test } from "vitest"
import { callText } from "./call-text.ts"

test("a call names its file once, and lines of a file stand without their numbers and what is said beside them", () => {
  const read =
    "src/main.js\n/work/src/main.js\n1: import { greeting }\n2: \n3: const name = 1\n\n(End of file, 3 lines.)"
  expect(callText({ tool: "read" }, read)).toBe("src/main.js\nimport { greeting }\n\nconst name = 1\n")
  expect(callText({ tool: "edit" }, "a.ts\na.ts\n1: old\nnew")).toBe("a.ts\n1: old\nnew")
})

test("other texts stay as they are", () => {
  for (const text of ["", "Run the tests\nnpm test\n1: ok", "\n\nx", "a.ts\nb/a.tsx"])
    expect(callText({ tool: "bash" }, text)).toBe(text)
})

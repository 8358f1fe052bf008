import type { EffectiveValue } from "@docket/core"
import { expect, test } from "vitest"
import { configSections, fileLabel, keyLabel, originLabel, stateLabel } from "./config-labels.ts"

const file = "/home/ada/app/.docket/docket.json"
const values: EffectiveValue[] = [
  {
    path: ["model"],
    value: "lab/one",
    from: { layer: "user", file: "/home/ada/.config/docket/docket.json", line: 2, column: 3 },
  },
  { path: ["permission", "bash", "git *"], value: "allow", from: { layer: "project", file, line: 4, column: 1 } },
  { path: ["share"], value: "manual", from: { layer: "default" } },
]

test("values are grouped by first key; search covers key, value and file", () => {
  const sections = configSections(values, "").map(({ name, values }) => [name, values.length])
  expect(sections).toEqual([
    ["general", 2],
    ["permission", 1],
  ])
  for (const wanted of ["BASH", "allow", ".docket/"]) {
    expect(configSections(values, wanted).map(({ name }) => name)).toEqual(["permission"])
  }
  expect(values.map(keyLabel)).toEqual(["model", "bash.git *", "share"])
})

test("a value's source names the file's owner and the line", () => {
  expect(values.map(({ from }) => originLabel(from, "/home/ada/app"))).toEqual([
    "your /home/ada/.config/docket/docket.json:2",
    "the project’s .docket/docket.json:4",
    "Docket’s default",
  ])
  expect(fileLabel({ layer: "environment", file: "DOCKET_CONFIG_CONTENT" }, null)).toBe(
    "the environment: DOCKET_CONFIG_CONTENT",
  )
  expect(fileLabel({ layer: "command-line", file: "--config" }, null)).toBe("the command line: --config")
  expect(fileLabel({ layer: "project", file: "/home/ada/app/a\u202Eb.json" }, "/home/ada/app")).not.toContain("\u202E")
})

test("an untrusted project file still makes rights stricter", () => {
  expect(stateLabel({ layer: "project", file, counts: false })).toBe("Only makes rights stricter")
  expect(stateLabel({ layer: "user", file, counts: true })).toBe("Counts")
})

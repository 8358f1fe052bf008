import { expect, it } from "vitest"
import { packageRows } from "./package-rows.ts"

const facts = {
  name: "p",
  version: "1.0.0",
  integrity: "sha512-x",
  source: "http://127.0.0.1/p.tgz",
  description: null,
  license: null,
  repository: null,
  deprecated: null,
  dependencies: [],
  hasInstallScripts: false,
  usual: null,
  installed: false,
}

it("a package without a description shows what is missing", () => {
  expect(packageRows(facts).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    "Package: p 1.0.0",
    "Comes from: http://127.0.0.1/p.tgz",
    "Integrity: sha512-x",
    "Code: It names no repository",
    "License: None named",
    "Brings along: Nothing",
  ])
})

it("a package's own description cannot hide anything", () => {
  const rows = packageRows({ ...facts, description: "Safe\u202eegakcap", hasInstallScripts: true })
  const values = rows.map(({ value }) => value).join("\n")
  expect(values).not.toContain("\u202e")
  expect(values).toContain("they are not run")
})

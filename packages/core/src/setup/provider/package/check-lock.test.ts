import { expect, it } from "vitest"
import { checkLock } from "./check-lock.ts"

const wanted = { name: "p", version: "1.0.0", integrity: "sha512-p" }
const own = { version: "1.0.0", resolved: "https://registry.example/p.tgz", integrity: "sha512-p" }
const lock = (packages: object, dependencies = {}) =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/p": { ...own, dependencies }, ...packages } })
const other = { version: "2.0.0", resolved: "https://registry.example/q.tgz", integrity: "sha512-q" }

it("a lock file of registry packages passes, with aliases and bundled packages", () => {
  const packages = { "node_modules/q": other, "node_modules/p/node_modules/r": { version: "1.0.0", inBundle: true } }
  expect(() => checkLock(lock(packages, { q: "^2.0.0", s: "npm:q@2.0.0" }), wanted)).not.toThrow()
})

it.each([
  ["from a repository", { ...other, resolved: "git+ssh://git@code.example/q.git#1" }, {}, /q does not come from/],
  ["from a directory", { resolved: "../q", link: true }, {}, /q does not come from/],
  ["without an integrity", { version: "2.0.0", resolved: other.resolved }, {}, /q comes without an integrity/],
  ["named by an address", other, { q: "https://elsewhere.example/q.tgz" }, /p needs "https:\/\/elsewhere/],
  ["named by a repository", other, { q: "someone/q" }, /p needs "someone\/q"/],
])("a lock file with a package %s is refused", (_, entry, dependencies, message) => {
  expect(() => checkLock(lock({ "node_modules/q": entry }, dependencies), wanted)).toThrow(message)
})

it("a package's own lock list passes only with the same registry", () => {
  const lister = { version: "1.0.0", resolved: "https://registry.example/l.tgz", integrity: "x", hasShrinkwrap: true }
  const text = (entry: object) => lock({ "node_modules/l": lister, "node_modules/l/node_modules/q": entry })
  expect(() => checkLock(text(other), wanted)).not.toThrow()
  const strange = { ...other, resolved: "https://elsewhere.example/q.tgz" }
  expect(() => checkLock(text(strange), wanted)).toThrow(/q comes from https:\/\/elsewhere\.example.*not from/)
})

it("a lock file with another version or content of the package fails", () => {
  expect(() => checkLock(lock({}), { ...wanted, version: "1.0.1" })).toThrow(
    /another p@1\.0\.1 than the one you agreed/,
  )
  expect(() => checkLock(lock({}), { ...wanted, integrity: "sha512-x" })).toThrow(/nothing was installed/)
})

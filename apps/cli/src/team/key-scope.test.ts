import { expect, it } from "vitest"
import { readNames, scopeOf } from "./key-scope.ts"

type Words = Parameters<typeof scopeOf>[0]

const words: Words = [
  {
    role: "viewer",
    may: [
      { capability: "self", words: "see who they are" },
      { capability: "account", words: "manage how they sign in" },
      { capability: "read", words: "read" },
    ],
  },
  { role: "member", may: [{ capability: "prompt", words: "prompt" }] },
  { role: "admin", may: [{ capability: "keys.manage", words: "make keys" }] },
  { role: "operator", may: [{ capability: "service.manage", words: "run the service" }] },
]

it("--only takes a key's capabilities as comma-separated names", () => {
  expect(readNames("prompt, read,prompt")).toEqual(["prompt", "read"])
  expect(() => readNames("read,")).toThrow("with commas between")
})

it("a key is limited to its role's rights; others are refused", () => {
  expect(scopeOf(words, "member", ["prompt", "read"])).toEqual(["read", "prompt"])
  const beyond = "a key of a member can be limited to read, prompt; "
  expect(() => scopeOf(words, "member", ["read", "keys.manage"])).toThrow(`${beyond}"keys.manage" is none of these`)
  for (const name of ["account", "service.manage", "everything"])
    expect(() => scopeOf(words, "member", [name])).toThrow(`${beyond}"${name}" is none of these`)
})

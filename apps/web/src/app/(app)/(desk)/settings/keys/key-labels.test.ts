import type { RoleLabels } from "@docket/client/pages"
import { expect, it } from "vitest"
import { callsFrom, lifeOf, limitableTo, reachOf } from "./key-labels.ts"

const words: RoleLabels[] = [
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

it("a key is offered its role's capabilities, without account and service", () => {
  const offered = (role: Parameters<typeof limitableTo>[1]) =>
    limitableTo(words, role).map(({ capability }) => capability)
  expect(offered("viewer")).toEqual(["read"])
  expect(offered("member")).toEqual(["read", "prompt"])
  expect(offered("owner")).toEqual(["read", "prompt", "keys.manage"])
})

it("labels say what a key may do and until when", () => {
  const own = { perMinute: null }
  expect(reachOf({ role: "member", capabilities: null, ...own })).toBe("Member")
  expect(reachOf({ role: "member", capabilities: ["read", "prompt"], ...own })).toBe("Member, only: read, prompt")
  expect(reachOf({ role: "viewer", capabilities: [], ...own })).toBe("Viewer, only: nothing")
  expect(reachOf({ role: "viewer", capabilities: null, perMinute: 1 })).toBe("Viewer · 1 call a minute")
  expect(reachOf({ role: "viewer", capabilities: null, perMinute: 1_200 })).toBe("Viewer · 1,200 calls a minute")
  const end = new Date(2026, 2, 12).getTime()
  expect(lifeOf({ expires: null }, end)).toBe("works until it is revoked")
  expect(lifeOf({ expires: end }, end - 1)).toBe("works until March 12, 2026")
  expect(lifeOf({ expires: end }, end)).toBe("expired on March 12, 2026")
})

it("a typed call limit becomes a whole number, null or a mistake", () => {
  expect(callsFrom(" ")).toBeNull()
  expect(callsFrom("60")).toBe(60)
  for (const typed of ["0", "-1", "1.5", "many", "1000001"]) expect(callsFrom(typed)).toBeUndefined()
})

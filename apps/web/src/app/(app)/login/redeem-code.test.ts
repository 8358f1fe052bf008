import { describe, expect, it } from "vitest"
import { readCode, readNext } from "./redeem-code.ts"

describe("readCode", () => {
  it("reads both forms of a login link", () => {
    expect(readCode("#code=abc123")).toBe("abc123")
    expect(readCode("#abc123")).toBe("abc123")
  })
  it("finds none in an empty or foreign fragment", () => {
    expect(readCode("")).toBeNull()
    expect(readCode("#")).toBeNull()
    expect(readCode("#other=1")).toBeNull()
  })
})

describe("readNext", () => {
  const origin = "http://127.0.0.1:4180"
  it("keeps a path of this site", () => {
    expect(readNext("?next=%2Fs%2Fses_1%3Fpart%3Dprt_1", origin)).toBe("/s/ses_1?part=prt_1")
  })
  it("never leaves the site", () => {
    expect(readNext("?next=https://example.com/", origin)).toBe("/")
    expect(readNext("?next=//example.com/", origin)).toBe("/")
    expect(readNext("?next=javascript:alert(1)", origin)).toBe("/")
  })
  it("does not come back to the login page", () => {
    expect(readNext("?next=/login", origin)).toBe("/")
  })
})

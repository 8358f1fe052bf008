import { expect, test } from "vitest"
import { placeOf } from "./place-of.ts"

test("an IPv6 /64 is one place, in every notation", () => {
  const one = ["2001:db8::1", "2001:db8::a:b:c:d", "2001:db8:0:0:1::", "2001:DB8:0000::ffff:ffff:ffff:ffff"]
  expect(new Set(one.map(placeOf))).toEqual(new Set(["2001:db8:0:0::/64"]))
  expect(placeOf("2001:db8:0:1::1")).toBe("2001:db8:0:1::/64")
  expect(placeOf("fe80::1%eth0")).toBe(placeOf("fe80::2"))
})

test("each IPv4 address in any form is a place, like other text", () => {
  expect(["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"].map(placeOf)).toEqual(Array(3).fill("192.0.2.1"))
  expect(placeOf("192.0.2.2")).toBe("192.0.2.2")
  expect(["", "unix:"].map(placeOf)).toEqual(["", "unix:"])
})

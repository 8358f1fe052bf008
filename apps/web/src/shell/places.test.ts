import { Settings } from "lucide-react"
import { expect, it } from "vitest"
import { currentOf, inbox } from "./places.ts"

it("a place is current on its page and on pages below", () => {
  const settings = { href: "/settings", label: "Settings", icon: Settings, key: "s" }
  expect(["/settings", "/settings/members", "/settings-of-old", "/"].map((page) => currentOf(settings, page))).toEqual([
    "page",
    "true",
    undefined,
    undefined,
  ])
  expect(["/", "/todos"].map((page) => currentOf(inbox, page))).toEqual(["page", undefined])
})

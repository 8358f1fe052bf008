import { describe, expect, it } from "vitest"
import { type ComposerKey, composerAction } from "./composer-keys.ts"

const press = (key: string, more: Partial<ComposerKey> = {}): ComposerKey => ({
  key,
  shift: false,
  modifier: false,
  composing: false,
  touch: false,
  listOpen: false,
  choosing: true,
  around: { before: "", after: "" },
  browsing: false,
  armed: false,
  busy: false,
  ...more,
})

describe("composerAction", () => {
  it("Enter sends, except with Shift, an input method or touch", () => {
    expect(composerAction(press("Enter"))).toBe("send")
    expect(composerAction(press("Enter", { shift: true }))).toBeNull()
    expect(composerAction(press("Enter", { composing: true }))).toBeNull()
    expect(composerAction(press("Enter", { touch: true }))).toBeNull()
  })
  it("an open suggestion list gets Enter, arrows and Escape", () => {
    expect(composerAction(press("Enter", { listOpen: true }))).toBe("pick")
    expect(composerAction(press("ArrowDown", { listOpen: true }))).toBe("next-option")
    expect(composerAction(press("Escape", { listOpen: true, busy: true, armed: true }))).toBe("close-list")
  })
  it("Enter sends beside a list in which nothing is chosen", () => {
    expect(composerAction(press("Enter", { listOpen: true, choosing: false }))).toBe("send")
    expect(composerAction(press("Tab", { listOpen: true, choosing: false }))).toBe("pick")
  })
  it("steps through history only at the first and last line", () => {
    expect(composerAction(press("ArrowUp"))).toBe("older")
    expect(composerAction(press("ArrowUp", { around: { before: "a\nb", after: "" } }))).toBeNull()
    expect(composerAction(press("ArrowDown"))).toBeNull()
    expect(composerAction(press("ArrowDown", { browsing: true }))).toBe("newer")
    expect(composerAction(press("ArrowUp", { around: null }))).toBeNull()
  })
  it("lets Tab leave the field after Esc", () => {
    expect(composerAction(press("Tab"))).toBe("switch-agent")
    expect(composerAction(press("Tab", { armed: true }))).toBeNull()
    expect(composerAction(press("Tab", { shift: true }))).toBeNull()
  })
  it("stops a busy agent with Esc Esc", () => {
    expect(composerAction(press("Escape", { busy: true }))).toBe("arm")
    expect(composerAction(press("Escape", { busy: true, armed: true }))).toBe("stop")
    expect(composerAction(press("Escape", { armed: true }))).toBe("arm")
  })
})

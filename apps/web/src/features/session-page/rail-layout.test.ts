import { expect, test } from "vitest"
import { fitWidth, readRailLayout, shownPanel, writeRailLayout } from "./rail-layout.ts"

function memoryStorage(text: string | null = null) {
  return {
    getItem: () => text,
    setItem(_key: string, value: string) {
      text = value
    },
  }
}

test("each tree keeps its tab and width, a new one has neither", () => {
  const storage = memoryStorage()
  writeRailLayout(storage, "ses_a", { panel: "agents", width: 420 })
  writeRailLayout(storage, "ses_b", { panel: "cost", width: null })
  expect(readRailLayout(storage, "ses_a")).toEqual({ panel: "agents", width: 420 })
  expect(readRailLayout(storage, "ses_b")).toEqual({ panel: "cost", width: null })
  expect(readRailLayout(storage, "ses_c")).toEqual({ panel: null, width: null })
})

test("agents open while tasks run, unless the reader chose a tab", () => {
  const storage = memoryStorage()
  // A changed width does not count as a chosen tab.
  writeRailLayout(storage, "ses_a", { panel: null, width: 420 })
  expect(shownPanel(readRailLayout(storage, "ses_a"), false)).toBe("todos")
  expect(shownPanel(readRailLayout(storage, "ses_a"), true)).toBe("agents")
  writeRailLayout(storage, "ses_a", { panel: "todos", width: 420 })
  expect(shownPanel(readRailLayout(storage, "ses_a"), true)).toBe("todos")
})

test("layouts of the oldest trees are forgotten", () => {
  const storage = memoryStorage()
  for (let index = 0; index < 120; index++) writeRailLayout(storage, `ses_${index}`, { panel: "cost", width: null })
  expect(readRailLayout(storage, "ses_0").panel).toBe(null)
  expect(readRailLayout(storage, "ses_119").panel).toBe("cost")
})

test("invalid stored layouts are ignored", () => {
  for (const text of ["{", "5", '[["ses_a",{"panel":"gone","width":1}]]', '[["ses_a",null]]'])
    expect(readRailLayout(memoryStorage(text), "ses_a")).toEqual({ panel: null, width: null })
})

test("a width leaves room for the rail and the transcript", () => {
  expect(fitWidth(100, 1_440)).toBe(280)
  expect(fitWidth(5_000, 1_440)).toBe(960)
  expect(fitWidth(400.4, 1_440)).toBe(400)
})

import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const tokens = readFileSync(new URL("../../theme/tokens.css", import.meta.url), "utf8")
const styles = readFileSync(new URL("./ansi.module.css", import.meta.url), "utf8")
const [light = "", dark = ""] = tokens.split(':root[data-mantine-color-scheme="dark"]')
const value = (theme: string, name: string) => new RegExp(`${name}: (#[0-9a-f]{6});`).exec(theme)?.[1] ?? "missing"
const rules = [...styles.matchAll(/\[data-ansi~="([\w-]+)"\] \{([^}]*)\}/g)].map(([, word = "", body = ""]) => ({
  word,
  colour: /(?:^|\s)color: var\((--[\w-]+)\)/.exec(body)?.[1],
  back: /background: var\((--[\w-]+)\)/.exec(body)?.[1],
}))
const coloured = rules.filter(({ colour }) => colour !== undefined)

it.each([
  ["light", light],
  ["dark", dark],
])("every terminal colour has AA contrast in the %s theme", (_name, theme) => {
  expect(coloured).toHaveLength(12)
  for (const { word, colour = "", back = "--dk-subtle" } of coloured) {
    expect(contrast(value(theme, colour), value(theme, back)), word).toBeGreaterThanOrEqual(4.5)
  }
})

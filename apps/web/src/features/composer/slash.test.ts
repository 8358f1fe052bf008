import { expect, test } from "vitest"
import { commandOf, matchingCommands, slashAt, slashCommands } from "./slash.ts"

const command = (slash: string | undefined) => ({
  id: slash ?? "none",
  group: "Go",
  label: slash ?? "",
  ...(slash !== undefined && { slash }),
  run: () => {},
})
const commands = slashCommands([command("undo"), command(undefined), command("new")])

test("a / that begins the prompt lists the commands by their beginnings", () => {
  expect(slashAt("/", 1)).toBe("")
  expect(slashAt("/un", 3)).toBe("un")
  expect(matchingCommands(commands, "").map(({ slash }) => slash)).toEqual(["undo", "new"])
  expect(matchingCommands(commands, "UN").map(({ slash }) => slash)).toEqual(["undo"])
})

test("a path or a sentence is no command", () => {
  expect(slashAt("look at /etc", 12)).toBeNull()
  expect(slashAt("/undo it", 5)).toBeNull()
  expect(matchingCommands(commands, "etc/hosts")).toEqual([])
  expect(commandOf(commands, "/undo it")).toBeNull()
  expect(commandOf(commands, " /undo ")?.slash).toBe("undo")
})

import type { Me } from "@docket/client/pages"
import { expect, it } from "vitest"
import { allowedOf } from "./commands.tsx"
import { rightsOf } from "./rights.ts"

const me: Me = {
  person: "u1",
  name: "Ada",
  workspace: "local",
  role: "owner",
  via: "login",
  hasTeam: true,
  refused: {},
}
const may = (refused: Me["refused"]) => rightsOf({ ...me, refused })

it("rights allow what is not refused, explain refusals, and give strangers nothing", () => {
  const viewer = may({ prompt: "You are a viewer." })
  expect([viewer.can("prompt"), viewer.whyNot("prompt"), viewer.can("read")]).toEqual([
    false,
    "You are a viewer.",
    true,
  ])
  const nobody = rightsOf(null)
  expect([nobody.person, nobody.can("read"), nobody.hasTeam]).toEqual(["", false, false])
})

it("only commands that the reader may carry out are offered", () => {
  const command = (id: string, needs?: "prompt" | "share") => ({
    id,
    group: "Go",
    label: id,
    run: () => {},
    ...(needs && { needs }),
  })
  const commands = [command("stop", "prompt"), command("share", "share"), command("help")]
  const offered = (rights: ReturnType<typeof may>) => allowedOf(commands, rights).map(({ id }) => id)
  expect(offered(may({}))).toEqual(["stop", "share", "help"])
  expect(offered(may({ prompt: "No." }))).toEqual(["share", "help"])
  expect(offered(rightsOf(null))).toEqual(["help"])
})

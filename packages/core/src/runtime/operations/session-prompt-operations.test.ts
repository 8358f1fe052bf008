import { expect, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("only who may change agents gives a prompt a system text", async () => {
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false })
  const ann = host.runtime.as({ person: "ann", workspace: "local" })
  const input = { sessionID: host.session.id, parts: [{ type: "text" as const, text: "Look" }], system: "Be short." }
  const member = { may: (capability: string) => capability !== "settings.manage" }
  await expect(ann.session.promptAsync(input, member)).rejects.toMatchObject({ code: "forbidden" })
  expect((await ann.session.messages({ sessionID: host.session.id })).items).toEqual([])
  const { id } = await ann.session.promptAsync(input, { may: () => true })
  const ended = await ann.session.wait({ turnID: id })
  expect(ended).toMatchObject({ status: "completed", input: { system: "Be short." } })
})

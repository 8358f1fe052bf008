import { expect, test } from "vitest"
import { z } from "zod"
import { usualNames } from "./bind-operations.ts"
import { coreOperations } from "./core-operations.ts"
import { listOperations } from "./operation.ts"

/** Ids of things outside of trees: only the capability decides. */
const ofNoTree = ["projectID", "providerID", "webhookID", "grantID"]
/** Ids that only count within the session that the same input names. */
const insideSession = ["messageID", "commentIDs", "draftIDs", "leftID", "askID"]

// An id that nothing checks would let a caller read what is hidden from them.
test("every id of an input is checked for visibility", () => {
  const unchecked = listOperations(coreOperations).flatMap(([name, { input, target }]) => {
    if (input === null || target !== undefined) return []
    const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" })
    const isChecked = (id: string) =>
      Object.hasOwn(usualNames, id) ||
      ofNoTree.includes(id) ||
      (insideSession.includes(id) && Object.hasOwn(properties, "sessionID"))
    return Object.entries(properties)
      .filter(([id, schema]) => /(^id|ID|IDs)$/.test(id) && Object(schema).type !== "boolean" && !isChecked(id))
      .map(([id]) => `${name} takes ${id}: list it in usualNames, or say by \`target\` what it is about`)
  })
  expect(unchecked).toEqual([])
})

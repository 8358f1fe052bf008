import { describe } from "vitest"
import { executorContract, openSite } from "../../contract/executor-contract.ts"
import { createSandbox } from "../sandbox/create-sandbox.ts"
import { createLocalExecutor } from "./executor.ts"
import { sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`The local executor is not tried: ${lack}`)

describe.skipIf(lack !== null)("commands on this machine", () => {
  executorContract(() =>
    openSite(async (deps) => ({ executor: createLocalExecutor(createSandbox(deps)), config: { mode: "required" } })),
  )
})

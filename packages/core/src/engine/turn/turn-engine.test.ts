import { turnEngineContract } from "../../contract/turn-engine-contract.ts"
import { createInProcessEngines } from "../../test/in-process-engine.ts"

turnEngineContract(async (count) => {
  const engines = createInProcessEngines()
  return Array.from({ length: count }, () => engines.node())
})

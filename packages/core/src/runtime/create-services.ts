import type { RuntimeDeps } from "./runtime-deps.ts"
import { type ActsServices, createActsServices } from "./services/acts-services.ts"
import { createEngineServices, type EngineServices } from "./services/engine-services.ts"
import { createGroundServices, type GroundServices } from "./services/ground-services.ts"
import { createProgramServices, type ProgramServices } from "./services/program-services.ts"
import { createRecordsServices, type RecordsServices } from "./services/records-services.ts"
import { createSetupServices, type SetupServices } from "./services/setup-services.ts"

/** The services of core, by layer, before anything runs. */
export interface Services
  extends GroundServices,
    ProgramServices,
    SetupServices,
    ActsServices,
    RecordsServices,
    EngineServices {}

export function createServices(deps: RuntimeDeps): Services {
  const ground = createGroundServices(deps)
  const programs = createProgramServices(deps, ground)
  const setup = createSetupServices(deps, ground, programs)
  return {
    ...ground,
    ...programs,
    ...setup,
    ...createActsServices(deps, ground, setup),
    ...createRecordsServices(deps, ground, setup),
    ...createEngineServices(deps, ground, setup),
  }
}

import type { ModelRef } from "../schema/model.ts"

/** Stands where messages and tasks name a provider: the agent's work is done by a program of other people. */
const providerID = "acp"

/** What stands for the model of an agent whose work a program does. */
export function modelOfProgram(program: string, model: string | undefined): ModelRef {
  return { providerID, modelID: model === undefined ? program : `${program}/${model}` }
}

/** The program that does the work, with its model where one was chosen; null where a model answers. */
export function programOfModel(model: ModelRef | null): string | null {
  return model?.providerID === providerID ? model.modelID : null
}

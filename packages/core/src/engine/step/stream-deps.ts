import type { CreateId } from "../../ground/id/create-id.ts"
import type { TurnWriter } from "../loop/turn-writer.ts"

export interface StreamDeps {
  writer: TurnWriter
  createID: CreateId
  clock: () => number
}

import { createProgramRoom, type PlacedProgram, type ProgramRoom } from "@docket/core/program-room"

export type PlacedServer = PlacedProgram
export type ServerRoom = ProgramRoom

/** The places of all language servers of a service: each can take more than a gigabyte. */
export function createServerRoom(): ServerRoom {
  return createProgramRoom({ most: 8, names: "language servers" })
}

import { afterEach, describe } from "vitest"
import { auditContract } from "./audit-contract.ts"
import { commitContract } from "./commit-contract.ts"
import { feedContract } from "./feed-contract.ts"
import { limitsContract } from "./limits-contract.ts"
import type { MakeStore, OpenStore } from "./make-store.ts"
import { memoryContract } from "./memory-contract.ts"
import { modelContract } from "./model-contract.ts"
import { recordsContract } from "./records-contract.ts"
import { removalContract } from "./removal-contract.ts"
import { reviewContract } from "./review-contract.ts"
import { rewindContract } from "./rewind-contract.ts"
import { scheduleContract } from "./schedule-contract.ts"
import { searchContract } from "./search-contract.ts"
import { sessionContract } from "./session-contract.ts"
import { shareCopyContract } from "./share-copy-contract.ts"
import { taskContract } from "./task-contract.ts"
import { todoContract } from "./todo-contract.ts"
import { todoServiceContract } from "./todo-service-contract.ts"
import { transcriptContract } from "./transcript-contract.ts"
import { transferContract } from "./transfer-contract.ts"
import { treeContract } from "./tree-contract.ts"
import { turnContract } from "./turn-contract.ts"
import { webhookContract } from "./webhook-contract.ts"
import { workModelContract } from "./work-model-contract.ts"

/** Declares the Vitest suite that every implementation of the store port must pass. */
export function storeContract(name: string, makeStore: MakeStore): void {
  describe(`store contract: ${name}`, () => {
    const opened: (() => Promise<void>)[] = []
    const open: OpenStore = async () => {
      const { store, dispose } = await makeStore()
      opened.push(dispose)
      return store
    }
    afterEach(async () => {
      for (const dispose of opened.splice(0)) await dispose()
    })
    describe("commit", () => commitContract(open))
    describe("removals", () => removalContract(open))
    describe("turns", () => turnContract(open))
    describe("places of trees", () => treeContract(open))
    describe("feed", () => feedContract(open))
    describe("sessions", () => sessionContract(open))
    describe("transcript", () => transcriptContract(open))
    describe("search", () => searchContract(open))
    describe("todo lists, permissions, projects, shares", () => recordsContract(open))
    shareCopyContract(open)
    describe("audit log", () => auditContract(open))
    describe("todos", () => todoContract(open))
    describe("todo service", () => todoServiceContract(open))
    describe("undo of todo lists", () => rewindContract(open))
    describe("tasks", () => taskContract(open))
    describe("reviews", () => reviewContract(open))
    describe("trees as files", () => transferContract(open))
    describe("memory", () => memoryContract(open))
    describe("schedules", () => scheduleContract(open))
    describe("webhooks", () => webhookContract(open))
    describe("limits of databases", () => limitsContract(open))
    describe("random work", () => workModelContract(open))
    describe("random histories", () => modelContract(open))
  })
}

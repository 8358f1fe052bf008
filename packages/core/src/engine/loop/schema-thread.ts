import { parentPort } from "node:worker_threads"
import { type SchemaCheck, schemaProblems } from "./schema-problems.ts"

/** Runs in its own thread: makes one check and ends. */
parentPort?.once("message", (check: SchemaCheck) => {
  parentPort?.postMessage(schemaProblems(check))
})

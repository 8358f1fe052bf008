#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Before anything else is loaded: the next command then reads compiled code instead of source. This file is JavaScript
// because it is read without that cache: for one with types, Node loads its compiler, which takes longer than the rest.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
await import("./docket.ts")

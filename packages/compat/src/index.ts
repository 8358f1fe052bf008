export { readForeignFile } from "./read-foreign-file.ts"

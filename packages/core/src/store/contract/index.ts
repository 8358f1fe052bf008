export { type MakeStore, storeContract } from "./store-contract.ts"

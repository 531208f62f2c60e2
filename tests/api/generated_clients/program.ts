// What a program does by the generated TypeScript client: node program.js ADDRESS KEY

import { strict as assert } from "node:assert";
import { client } from "./client/client.gen";
import * as api from "./client";

const [address, key] = process.argv.slice(2);
client.setConfig({ baseUrl: address, auth: () => key });

type Answer<T> = { data?: T; error?: unknown; response?: Response };

/** The answer of an operation that succeeds. */
async function sent<T>(operation: Promise<Answer<T>>): Promise<T> {
  const answer = await operation;
  assert(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

/** The status and code of an operation that fails. */
async function refused(operation: Promise<Answer<unknown>>): Promise<[number, string]> {
  const answer = await operation;
  const error = answer.error as api.ErrorResponse;
  return [answer.response!.status, error.code];
}

/** A body with a file for each number of an invoice. */
function upload(externalIds: string, ...numbers: string[]) {
  const file = numbers.map((number) => new File([`Number: ${number}\nTotal: 12.50\n`], `${number}.txt`));
  return { file, externalIds };
}

async function main(): Promise<void> {
  const path = { parserId: "bills" };
  const fields: api.FieldInput[] = [
    { name: "Number" },
    { name: "Total", type: "currency", required: true },
    { name: "Line Items", type: "table", columns: [{ name: "Text" }, { name: "Amount", type: "currency" }] },
  ];
  const parser = await sent(api.parsersCreate({ body: { name: "Bills", fields } }));
  assert.equal((await sent(api.parsersGet({ path }))).id, parser.id);

  // What isn't sent of a field stays.
  const ofTotal = { ...path, fieldId: "Total" };
  const changed = await sent(api.fieldsUpdate({ path: ofTotal, body: { description: "What is to be paid" } }));
  const total = changed.fields[1];
  assert.deepEqual([total.type, total.required, total.description], ["currency", true, "What is to be paid"]);

  const body = upload('["E1", null]', "A-1", "A-2");
  const [first, second] = (await sent(api.processFiles({ path, body, query: { wait: 60 } }))).result;
  assert.deepEqual([first.externalId, second.externalId], ["E1", null]);
  assert.equal(first.data!.Number, "A-1");
  const read = await sent(api.processData({ path, query: { externalId: "E1" } }));
  assert.equal(read.data.Total, 12.5);

  // What isn't sent of a document stays, too.
  const ofSecond = { ...path, documentId: second.documentId };
  const updated = await sent(api.documentsUpdate({ path: ofSecond, body: { externalId: "E2" } }));
  assert.deepEqual([updated.name, updated.externalId], ["A-2.txt", "E2"]);
  await sent(api.documentsUpdateData({ path: ofSecond, body: { data: { Total: 119 } } }));
  assert.equal((await sent(api.documentsGet({ path: ofSecond }))).data.Total, 119);
  assert.equal((await sent(api.documentsSearch({ path, body: { q: "A-2" } }))).pagination.total, 1);

  const hook = await sent(api.webhooksCreate({ path, body: { url: "https://hooks.invalid/", name: "ERP" } }));
  const ofHook = { ...path, webhookId: hook.id };
  await sent(api.webhooksUpdate({ path: ofHook, body: { isActive: false } }));
  const described = await sent(api.webhooksUpdate({ path: ofHook, body: { description: "x" } }));
  assert.deepEqual([described.status, described.name, described.description], ["paused", "ERP", "x"]);

  const nobody = { parserId: "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e" };
  assert.deepEqual(await refused(api.parsersGet({ path: nobody })), [404, "not_found"]);
  const again = { path, body: upload('["E1"]', "A-1") };
  assert.deepEqual(await refused(api.processFiles(again)), [400, "external_id_exists"]);
  await sent(api.parsersUpdate({ path, body: { isActive: false } }));
  assert.deepEqual(await refused(api.processFiles(again)), [400, "parser_inactive"]);
  assert.equal((await sent(api.parsersGet({ path }))).name, "Bills");

  const deleted = await sent(api.documentsDelete({ path, body: { externalIds: ["E1"] } }));
  const documentIds = [second.documentId];
  assert.equal(deleted.deleted + (await sent(api.documentsDeleteMany({ body: { documentIds } }))).deleted, 2);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

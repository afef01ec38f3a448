// Loaded before a tool that has no option for a token: adds it to every request that the tool sends to the server, and
// changes nothing else about it. Not a proxy: the request goes straight to the server under test.
import { subscribe } from "node:diagnostics_channel";

const { WORKLIST_TEST_ORIGIN: origin, WORKLIST_TEST_TOKEN: token } = process.env;

subscribe("undici:request:create", ({ request }) => {
  if (String(request.origin) === origin) request.addHeader("authorization", `Bearer ${token}`);
});

subscribe("http.client.request.created", ({ request }) => {
  if (`http://${request.getHeader("host")}` === origin) request.setHeader("authorization", `Bearer ${token}`);
});

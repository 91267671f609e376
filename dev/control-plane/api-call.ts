import { Agent, request } from 'undici';

/** What is needed to talk to an API server as its administrator. */
export interface ApiAccess {
  readonly server: string;
  readonly caPem: string;
  readonly token: string;
}

/** One request on a connection of its own; for starting servers, not for the traffic of tests. */
export async function callApi(
  access: ApiAccess,
  path: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const dispatcher = new Agent({ connect: { ca: access.caPem }, headersTimeout: 10_000 });
  try {
    const answer = await request(`${access.server}${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } finally {
    await dispatcher.destroy();
  }
}

import { messageOf } from '../../domain/errors.ts';
import { freePort } from './free-port.ts';

const attempts = 5;

/** Starts a server on a free loopback port; again on another one when somebody took the port in between. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === attempts || !messageOf(error).includes('address already in use')) throw error;
    }
  }
}

export { signPayload, verifySignature } from './signature.ts';

// What is used of ky, so that a bundle takes nothing else of it along: a bundler keeps all of what is imported later.
export { default as send, isNetworkError } from 'ky';

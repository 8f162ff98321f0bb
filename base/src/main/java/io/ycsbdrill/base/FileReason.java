package io.ycsbdrill.base;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words why a file cannot be read or written; Java's own messages are often nothing but the file's name. */
public final class FileReason {
    private FileReason() {}

    /** A few words for a message that names the file itself. */
    public static String of(IOException error) {
        if (error instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (error instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (error instanceof FileAlreadyExistsException || error instanceof NotDirectoryException) {
            return "a file is in its place";
        }
        if (error instanceof DirectoryNotEmptyException) {
            return "a directory that is not empty is in its place";
        }
        if (error instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        if (error instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        boolean speaks = error.getMessage() != null
                && !(error instanceof FileSystemException || error instanceof UnknownHostException);
        // Jackson adds, on a line of its own, from what kind of source the text came.
        return speaks ? error.getMessage().replaceFirst("(?s)\n at \\[Source: .*", "") : error.toString();
    }

    /** The same for a message that has these words: begins with the file where they do not name it. */
    public static String of(IOException error, String words) {
        boolean named =
                error instanceof FileSystemException file && file.getFile() != null && !words.contains(file.getFile());
        return (named ? ((FileSystemException) error).getFile() + ": " : "") + of(error);
    }
}

package io.ycsbdrill.base;

import java.io.FileNotFoundException;
import java.io.IOException;
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
            return "a file is where a directory should be";
        }
        if (error instanceof DirectoryNotEmptyException) {
            return "a directory that is not empty is in its place";
        }
        if (error instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        boolean speaks = error.getMessage() != null
                && (error.getClass() == IOException.class
                        || error instanceof FileNotFoundException
                        || error instanceof NotOursException);
        return speaks ? error.getMessage() : error.toString();
    }
}
